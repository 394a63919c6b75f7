// What is still going on: requests, timers and frames. Tests wait for its end.

export class Activity {
  private running = 0;
  private waiting: (() => void)[] = [];

  begin(): void {
    ++this.running;
  }

  end(): void {
    --this.running;
    if (this.running === 0) setTimeout(() => this.settle(), 0);
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work;
    } finally {
      this.end();
    }
  }

  // Resolves when nothing is going on, and nothing was begun by what ended last.
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.running === 0) setTimeout(() => this.settle(), 0);
    });
  }

  private settle(): void {
    if (this.running > 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

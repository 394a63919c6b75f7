// Asks for the strips that the last frame missed. What nobody wants any more is not asked for.

import type { Activity } from "./activity";
import type { Source } from "./source";
import { requests_for, type Request, StripCache, type StripKey } from "./strip_cache";

const kMostAtOnce = 3;
const kRetryMs = 2000;

function name_of(key: StripKey): string {
  return `${key.source}/${key.level}/${key.x}/${key.lane}`;
}

export class StripLoader {
  private wanted: StripKey[] = [];
  private asked = new Set<string>();
  private absent = new Set<string>(); // asked for and not in the answer
  private running = 0;

  constructor(
    private source: Source,
    private activity: Activity,
    readonly cache: StripCache,
    private key: () => string,
    private arrived: () => void,
    private failed: (error: Error) => void,
  ) {}

  want(keys: readonly StripKey[]): void {
    this.wanted = keys.filter((key) => !this.cache.has(key));
    this.next();
  }

  // Of a run that is gone, or was made again.
  forget(): void {
    this.cache.clear();
    this.absent.clear();
  }

  private missing(): StripKey[] {
    return this.wanted.filter((key) => {
      const name = name_of(key);
      return !this.cache.has(key) && !this.asked.has(name) && !this.absent.has(name);
    });
  }

  private next(): void {
    if (this.running >= kMostAtOnce) return;
    for (const request of requests_for(this.missing()).slice(0, kMostAtOnce - this.running)) {
      void this.activity.during(this.load(request));
    }
  }

  private async load(request: Request): Promise<void> {
    const keys = keys_of(request);
    keys.forEach((key) => this.asked.add(name_of(key)));
    ++this.running;
    try {
      const batch = await this.source.strips(this.key(), request);
      for (const strip of batch.strips) {
        this.cache.put({ source: request.source, level: batch.level, x: strip.x, lane: strip.lane }, strip);
      }
      keys.filter((key) => !this.cache.has(key)).forEach((key) => this.absent.add(name_of(key)));
      this.arrived();
    } catch (error) {
      keys.forEach((key) => this.absent.add(name_of(key)));
      setTimeout(() => keys.forEach((key) => this.absent.delete(name_of(key))), kRetryMs);
      this.failed(error as Error);
    } finally {
      --this.running;
      keys.forEach((key) => this.asked.delete(name_of(key)));
      this.next();
    }
  }
}

function keys_of({ source, level, first, last, lanes }: Request): StripKey[] {
  const keys: StripKey[] = [];
  for (const lane of lanes) for (let x = first; x <= last; ++x) keys.push({ source, level, x, lane });
  return keys;
}

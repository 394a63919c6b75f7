// Where the data comes from. All else of the page asks through this, so that a server, a file and a test are alike.

import { decode_batch, type Batch } from "./strips";
import { ranges_text, type Request } from "./strip_cache";

export type Query = Record<string, string | number | boolean | null | undefined>;

export interface Source {
  // What an endpoint answers; the path is as in docs/reference/viewer-api.md, without "/api/v1/".
  get<T>(path: string, query?: Query): Promise<T>;
  send<T>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T>;
  strips(key: string, request: Request): Promise<Batch>;
  // A link that opens the same view, of this fragment, elsewhere; null where there is none.
  link(fragment: string): string | null;
  readonly is_live: boolean; // false: only what was put in is there
}

export class SourceError extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

export function query_text(query: Query): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    fields.set(name, typeof value === "boolean" ? (value ? "1" : "0") : String(value));
  }
  const text = fields.toString();
  return text && `?${text}`;
}

const kAdvice: Record<number, string> = {
  401: "the token is not that of the running server: open the address that plumbline view printed",
  403: "the server refuses this host or origin: open the address that plumbline view printed",
};

async function error_of(response: Response, path: string): Promise<SourceError> {
  const advice = kAdvice[response.status];
  if (advice) return new SourceError(response.status, advice);
  const body = (await response.json().catch(() => null)) as { error?: string } | null;
  return new SourceError(response.status, body?.error ?? `${path}: status ${response.status}`);
}

export class ServerSource implements Source {
  readonly is_live = true;

  constructor(
    private token: string,
    private base: string,
    private fetcher: typeof fetch = (input, init) => fetch(input, init),
  ) {}

  async get<T>(path: string, query: Query = {}): Promise<T> {
    return (await this.ask("GET", path + query_text(query))).json() as Promise<T>;
  }

  async send<T>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
    const response = await this.ask(method, path, body === undefined ? undefined : JSON.stringify(body));
    const text = await response.text();
    return (text ? JSON.parse(text) : null) as T;
  }

  async strips(key: string, request: Request): Promise<Batch> {
    const query = {
      k: key,
      s: request.source,
      l: request.level,
      x: `${request.first}..${request.last}`,
      r: ranges_text(request.lanes),
    };
    return decode_batch(await (await this.ask("GET", "strips" + query_text(query))).arrayBuffer());
  }

  link(fragment: string): string {
    return `${this.base}/#t=${encodeURIComponent(this.token)}&${fragment}`;
  }

  private async ask(method: string, path: string, body?: string): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response: Response;
    try {
      response = await this.fetcher(`${this.base}/api/v1/${path}`, { method, headers, body: body ?? null });
    } catch {
      throw new SourceError(0, "the server does not answer: is plumbline view still running, and the ssh tunnel open?");
    }
    if (!response.ok) throw await error_of(response, path);
    return response;
  }
}

const kTokenOfTab = "plumbline-token";

// The token is read once from the address, taken out of it, and kept for reloads of this tab only.
export function take_token(address: Location, storage: Storage, replace: (fragment: string) => void): string {
  const fields = new URLSearchParams(address.hash.slice(1));
  const token = fields.get("t");
  if (token === null) return storage.getItem(kTokenOfTab) ?? "";
  storage.setItem(kTokenOfTab, token);
  fields.delete("t");
  replace(fields.toString());
  return token;
}

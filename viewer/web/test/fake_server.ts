// Serves the page over a synthetic run: node build.mjs --serve-fake. Each load of the page builds it again. What is at
// /report.html can be saved and opened as a file.

import { createServer } from "node:http";
import { fake_api } from "./fake_api";
import { fake_inlined, page_with } from "./fake_inlined";

type Options = { port: number; ranks: number; page(): Promise<string> };

export function serve({ port, ranks, page }: Options): void {
  const api = fake_api(ranks);
  const server = createServer(async (request, response) => {
    const address = new URL(request.url ?? "/", "http://localhost");
    let body = "";
    for await (const piece of request) body += piece;
    if (!address.pathname.startsWith("/api/v1/")) {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      const text = await page().catch((error: Error) => `<pre>${error.message}</pre>`);
      response.end(address.pathname === "/report.html" ? page_with(text, fake_inlined(ranks)) : text);
      return;
    }
    const path = decodeURIComponent(address.pathname.slice("/api/v1/".length));
    const answer = api.answer(request.method ?? "GET", path, address.searchParams, body);
    response.writeHead(answer.status, { "Content-Type": answer.type });
    response.end(typeof answer.body === "string" ? answer.body : Buffer.from(answer.body));
  });
  server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/#t=fake`));
}

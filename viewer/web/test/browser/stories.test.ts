// The twelve stories of the viewer, and what comes with them, in a browser over archives recorded for them.

import { after, before } from "node:test";
import { end_all, record_all } from "./world";

before(record_all);
after(end_all);

await import("./first_screen");
await import("./reading");
await import("./comparing");
await import("./many_ranks");
await import("./what_if");
await import("./served");
await import("./access");
await import("./addresses");
await import("./report_file");

// From a call over its POSIX operations to the server and its device.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, idle, open, text } from "./opened";
import { view } from "./world";

test("the servers and devices that worked for a write are named, have lanes, and arrows lead to them", async () => {
  const viewing = await view("hinted", "hinted-served");
  const { operations } = await viewing.get("operations?filter=" + encodeURIComponent('kind == "MPI-IO" & call ~ write') + "&sort=observed");
  // In the ideal form one rank writes for both, and the other one has nothing to do with the server. The device works for
  // the writes that its server's cache does not hold.
  const details = await Promise.all(operations.map((each: any) => viewing.get(`operation/${each.rank}/${each.operation}`)));
  const detail = details.find((each) => each.served_by.some((part: any) => part.class === "device"));
  assert.ok(detail.inner.posix > 0, "its POSIX calls were recorded");
  assert.deepEqual(detail.served_by.map((each: any) => [each.name, each.class]), [["d0", "server"], ["d0 device", "device"]]);
  const op = detail;
  const opened = await open(viewing, `v=1&selected=${op.rank}.${op.operation}`);
  const { page } = opened;
  await idle(page);
  const said = await text(page, ".served-by");
  for (const { name } of detail.served_by) assert.ok(said.includes(name), said);
  const lanes = await viewing.get("lanes");
  for (const { lane, name } of detail.served_by) assert.equal(lanes.lanes.find((each: any) => each.lane === lane)?.name, name);
  await close(opened);
});

// Arrows of the selected operation on a file: from its call over the POSIX calls within it to the servers that worked
// meanwhile in the expected run, and on to their devices.

import type { Layout, LaneRow } from "./lane_layout";

// A component, and when it worked, on the axis of the observed run.
export type ServedLane = { lane: number; name: string; class: string; begin: number; end: number };

export type IoCall = { begin_ps: number; end_ps: number; kind: string };

const kMostCalls = 12; // that have arrows: of more, so many at equal distances

const kPosix = ["read", "write"];

export function drawn_calls(inside: readonly IoCall[]): IoCall[] {
  const posix = inside.filter((each) => kPosix.includes(each.kind));
  if (posix.length <= kMostCalls) return posix;
  return Array.from({ length: kMostCalls }, (_, n) => posix[Math.floor((n * posix.length) / kMostCalls)]!);
}

function row_of_lane(layout: Layout, lane: number): LaneRow | undefined {
  return layout.rows.find((row): row is LaneRow => row.type === "lane" && row.lane.lane === lane);
}

type Target = ServedLane & { row: LaneRow };

// "d0 disk" and "d0 cache" are of "d0".
const is_of = (part: ServedLane, server: ServedLane) => part.name.startsWith(`${server.name} `);

// [x1, y1, x2, y2] of each arrow: call after call, each from top to bottom. `share` of the time of the operation that had
// passed in the middle of a call is the share of the component's time where its arrow ends.
export function io_arrows(
  bar: { begin: number; end: number; bottom: number },
  inside: readonly IoCall[],
  served: readonly ServedLane[],
  layout: Layout,
  place: { x(time: number): number; y(row: LaneRow): number },
): number[][] {
  const targets = served.flatMap((each): Target[] => {
    const row = row_of_lane(layout, each.lane);
    return row ? [{ ...each, row }] : [];
  });
  const servers = targets.filter((each) => each.class === "server");
  const devices = targets.filter((each) => each.class === "device");
  const first = servers.length > 0 ? servers : devices;
  const length = Math.max(1, bar.end - bar.begin);
  return drawn_calls(inside).flatMap((call) => {
    const middle = (call.begin_ps + call.end_ps) / 2;
    const share = Math.min(1, Math.max(0, (middle - bar.begin) / length));
    const at = (each: Target) => [place.x(each.begin + share * (each.end - each.begin)), place.y(each.row)] as const;
    const arrows = first.map((each) => [place.x(middle), bar.bottom, ...at(each)]);
    const onward = servers.flatMap((server) => devices.filter((device) => is_of(device, server)).map((device) => [...at(server), ...at(device)]));
    return [...arrows, ...onward];
  });
}

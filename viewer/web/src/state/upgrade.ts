// Addresses of earlier versions. Version 0 has no number: it is what people and scripts write by hand, with few and
// short names.

export type Fields = URLSearchParams;

// Names of version 0: "op=17.1203", "time=0~5000", "q=bytes > 1MiB", "finding=2" (from 1).
function fromHand(fields: Fields): Fields {
  const result = new URLSearchParams(fields);
  for (const [short, long] of [["op", "selected"], ["time", "range"], ["q", "search"]] as const) {
    const value = result.get(short);
    if (value !== null && !result.has(long)) result.set(long, value);
    result.delete(short);
  }
  const finding = result.get("finding");
  if (finding !== null) result.set("finding", String(Number(finding) - 1));
  return result;
}

// Element n makes version n + 1 of version n.
const kUpgraders: ((fields: Fields) => Fields)[] = [fromHand];

export function upgraded(fields: Fields, version: number): { fields: Fields; newer: boolean } {
  const stated = Number(fields.get("v") ?? 0);
  if (!Number.isInteger(stated) || stated < 0) return { fields: new URLSearchParams(), newer: false };
  let result = fields;
  for (let from = stated; from < version; ++from) result = kUpgraders[from]!(result);
  return { fields: result, newer: stated > version };
}

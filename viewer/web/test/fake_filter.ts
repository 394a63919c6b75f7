// Expressions over operations, as far as tests of the page need them.

import type { Operation } from "../src/data/api_types";
import { kKinds } from "./fake_run";

type Test = (op: Operation) => boolean;

const kUnits: Record<string, number> = { s: 1e12, ms: 1e9, us: 1e6, ns: 1e3, KiB: 1024, MiB: 1 << 20, GiB: 1 << 30 };

function value_of(op: Operation, field: string): number | string {
  const values: Record<string, number | string> = {
    call: op.call, site: op.site, kind: kKinds[op.kind]!, file: op.file ?? "", bytes: op.bytes, rank: op.rank,
    peer: op.peer ?? -1, tag: op.tag ?? -1, own: op.own_ps, inherited: op.inherited_ps, structure: op.structure_ps,
    stack: op.stack_ps, gained: op.gained_ps, observed: op.observed_ps, operation: op.operation,
  };
  const value = values[field];
  if (value === undefined) throw new Error(`filter:1: no field is called '${field}'; there are ${Object.keys(values).join(", ")}`);
  return value;
}

function number_of(text: string): number {
  const [, digits, unit] = /^(-?[\d.]+)\s*([A-Za-z]*)$/.exec(text) ?? [];
  return Number(digits) * (unit ? (kUnits[unit] ?? 1) : 1);
}

function comparison(text: string): Test {
  const [, field, sign, right] = /^(\w+)\s*(==|!=|>=|<=|>|<|~|in)\s*(.+)$/.exec(text) ?? [];
  if (text === "unmatched") return (op) => op.rank === 0 && op.operation === 1;
  if (!field) return text === "judged" ? (op) => op.judged : (op) => op.call.toLowerCase().includes(text.toLowerCase());
  const wanted = right!.trim().replace(/^"|"$/g, "");
  return (op) => {
    const value = value_of(op, field);
    if (sign === "~") return String(value).includes(wanted);
    const [a, b] = typeof value === "string" ? [value, wanted] : [value, number_of(wanted)];
    return { "==": a === b, "!=": a !== b, ">": a > b, "<": a < b, ">=": a >= b, "<=": a <= b }[sign!] ?? false;
  };
}

// Splits at a sign that is not within parentheses or quotes.
function parts(text: string, sign: string): string[] {
  const result = [""];
  let depth = 0;
  let quoted = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    if (!quoted) depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (letter === sign && depth === 0 && !quoted) result.push("");
    else result[result.length - 1] += letter;
  }
  return result.map((part) => part.trim());
}

export function filter(expression: string): Test {
  const text = expression.trim();
  if (text === "") return () => true;
  for (const sign of ["|", "&"] as const) {
    const tests = parts(text, sign);
    if (tests.length > 1) {
      const all = tests.map(filter);
      return sign === "|" ? (op) => all.some((test) => test(op)) : (op) => all.every((test) => test(op));
    }
  }
  if (text.startsWith("!")) {
    const inner = filter(text.slice(1));
    return (op) => !inner(op);
  }
  return text.startsWith("(") && text.endsWith(")") ? filter(text.slice(1, -1)) : comparison(text);
}

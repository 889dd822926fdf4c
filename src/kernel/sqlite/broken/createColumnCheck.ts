import { isJsonObject } from '../../../base/json/isJsonObject.ts';

/** What a column holds. `?` at the end: nullable. */
export type ColumnKind = PlainKind | `${PlainKind}?`;

type PlainKind =
  | 'text'
  /** ISO 8601. */
  | 'iso'
  /** A whole number, negative too. */
  | 'whole'
  /** A whole number from 0. */
  | 'count'
  /** Epoch ms. */
  | 'time'
  /** 0 or 1. */
  | 'flag'
  | 'real'
  /** JSON of any value. */
  | 'json'
  /** JSON of an object. */
  | 'object'
  /** JSON of a list. */
  | 'list'
  /** JSON of a list of texts. */
  | 'texts'
  /** JSON of a list of objects. */
  | 'objects';

/** A JSON object with known members; `?`: optional. Other members may hold anything. */
export interface JsonObject {
  members: Readonly<Record<string, 'text' | 'text?' | 'iso?' | readonly string[]>>;
}

/** One of these texts, or JSON with these members; a key `null`: nullable. */
export type ColumnSpec =
  | ColumnKind
  | { oneOf: Readonly<Record<string, true>>; orNull?: boolean }
  | { object: JsonObject; orNull?: boolean }
  /** Empty, or JSON. */
  | 'empty-or-json';

/** Returns what is wrong with a value; null = nothing. Never quotes stored texts. */
export type ColumnCheck = (value: unknown) => string | null;

/** The last moment that a Date can hold, epoch ms. */
const LAST_TIME = 8_640_000_000_000_000;
/** Most characters quoted of a number or word. */
const MAX_SHOWN_CHARS = 40;

/** Stands for a number that was read rounded. */
export const BEYOND = 'a number beyond 2^53';

const isColumnText = (value: unknown): value is string => typeof value === 'string';
const isIso = (value: unknown): boolean =>
  isColumnText(value) && /^\d{4}-\d\d-\d\d/.test(value) && Number.isFinite(Date.parse(value));

const describeColumnValue = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? BEYOND : String(value);
  return isColumnText(value) ? 'text' : 'bytes';
};

const createNumberCheck =
  (least: number, most: number, what: string): ColumnCheck =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? null
      : `is ${describeColumnValue(value)}, not ${what}`;

const createJsonCheck =
  (what: string, is: (value: unknown) => boolean): ColumnCheck =>
  (value) => {
    if (!isColumnText(value)) return `is ${describeColumnValue(value)}, not ${what}`;
    try {
      return is(JSON.parse(value)) ? null : `is not ${what}`;
    } catch {
      return 'is not valid JSON';
    }
  };

const MOST = Number.MAX_SAFE_INTEGER;
const COUNT = `a whole number from 0 to ${MOST}`;

const PLAIN: Readonly<Record<PlainKind, ColumnCheck>> = {
  text: (value) => (isColumnText(value) ? null : `is ${describeColumnValue(value)}, not text`),
  iso: (value) => (isIso(value) ? null : `is ${describeColumnValue(value)} that is not a date`),
  whole: createNumberCheck(-MOST, MOST, `a whole number from -${MOST} to ${MOST}`),
  count: createNumberCheck(0, MOST, COUNT),
  time: createNumberCheck(0, LAST_TIME, 'a time in ms since 1970'),
  flag: createNumberCheck(0, 1, '0 or 1'),
  real: (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? null
      : `is ${describeColumnValue(value)}, not a finite number`,
  json: createJsonCheck('JSON', () => true),
  object: createJsonCheck('a JSON object', isJsonObject),
  list: createJsonCheck('a JSON list', Array.isArray),
  texts: createJsonCheck(
    'a JSON list of texts',
    (value) => Array.isArray(value) && value.every(isColumnText),
  ),
  objects: createJsonCheck(
    'a JSON list of objects',
    (value) => Array.isArray(value) && value.every(isJsonObject),
  ),
};

const allowNullValue =
  (check: ColumnCheck): ColumnCheck =>
  (value) =>
    value === null ? null : check(value);

const createMemberCheck =
  (members: Readonly<Record<string, true>>): ColumnCheck =>
  (value) => {
    if (isColumnText(value) && Object.hasOwn(members, value)) return null;
    const name =
      isColumnText(value) && /^[\w:.-]+$/.test(value)
        ? `"${value.slice(0, MAX_SHOWN_CHARS)}"`
        : describeColumnValue(value);
    return `is ${name}, not one of ${Object.keys(members).join(', ')}`;
  };

const hasMember = (value: unknown, kind: JsonObject['members'][string]): boolean => {
  if (typeof kind === 'object') return isColumnText(value) && kind.includes(value);
  if (kind.endsWith('?') && value === undefined) return true;
  return kind.startsWith('iso') ? isIso(value) : isColumnText(value);
};

const createObjectCheck = ({ members }: JsonObject): ColumnCheck =>
  createJsonCheck(`a JSON object with ${Object.keys(members).join(', ')}`, (value) => {
    if (!isJsonObject(value)) return false;
    return Object.entries(members).every(([name, kind]) => hasMember(value[name], kind));
  });

export function createColumnCheck(spec: ColumnSpec): ColumnCheck {
  if (typeof spec === 'object') {
    const check = 'oneOf' in spec ? createMemberCheck(spec.oneOf) : createObjectCheck(spec.object);
    return spec.orNull ? allowNullValue(check) : check;
  }
  if (spec === 'empty-or-json') return (value) => (value === '' ? null : PLAIN.json(value));
  return spec.endsWith('?')
    ? allowNullValue(PLAIN[spec.slice(0, -1) as PlainKind])
    : PLAIN[spec as PlainKind];
}

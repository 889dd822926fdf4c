import type { Tables } from '../../../records/tables.ts';
import type { ColumnKind, ColumnSpec } from './columnCheck.ts';
import { CHAT_SHAPES } from './chatShapes.ts';
import { FORGE_SHAPES } from './forgeShapes.ts';
import { JOB_SHAPES } from './jobShapes.ts';
import { KERNEL_SHAPES } from './kernelShapes.ts';
import { RULE_SHAPES } from './ruleShapes.ts';
import { USAGE_SHAPES } from './usageShapes.ts';

/** What each column of a table may hold: one that may be null says so. */
export type Shape<Row> = {
  readonly [Column in keyof Row]: null extends Row[Column] ? Nullable : Present<Row[Column]>;
};

type Nullable =
  | Extract<ColumnKind, `${string}?`>
  | { oneOf: Readonly<Record<string, true>>; orNull: true }
  | { object: Extract<ColumnSpec, { object: unknown }>['object']; orNull: true };

/** Columns with few texts name all of them. */
type Present<Value> = Value extends string
  ? string extends Value
    ?
        | Exclude<ColumnSpec, `${string}?` | { orNull?: boolean }>
        | { object: Extract<ColumnSpec, { object: unknown }>['object'] }
    : { oneOf: Readonly<Record<string, true>> }
  : 'whole' | 'count' | 'time' | 'flag' | 'real';

const FEATURE_SHAPES: { readonly [Name in keyof Tables]: Shape<Tables[Name]> } = {
  ...JOB_SHAPES,
  ...USAGE_SHAPES,
  ...RULE_SHAPES,
  ...FORGE_SHAPES,
  ...CHAT_SHAPES,
};

/** What the columns of every table of state.db may hold. A test compares it with the schema. */
export const TABLE_SHAPES: Readonly<Record<string, Readonly<Record<string, ColumnSpec>>>> = {
  ...KERNEL_SHAPES,
  ...FEATURE_SHAPES,
};

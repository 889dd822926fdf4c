import type { ColumnKind, ColumnSpec } from '../../../kernel/sqlite/broken/createColumnCheck.ts';

/** What each column of a table may hold; nullable ones are marked. */
export type Shape<Row> = {
  readonly [Column in keyof Row]: null extends Row[Column] ? Nullable : Present<Row[Column]>;
};

type Nullable =
  | Extract<ColumnKind, `${string}?`>
  | { oneOf: Readonly<Record<string, true>>; orNull: true }
  | { object: Extract<ColumnSpec, { object: unknown }>['object']; orNull: true };

/** Columns with a fixed set of texts list all of them. */
type Present<Value> = Value extends string
  ? string extends Value
    ?
        | Exclude<ColumnSpec, `${string}?` | { orNull?: boolean }>
        | { object: Extract<ColumnSpec, { object: unknown }>['object'] }
    : { oneOf: Readonly<Record<string, true>> }
  : 'whole' | 'count' | 'time' | 'flag' | 'real';

/**
 * Maps each table name to its stored row. The kernel knows no tables; users may declare theirs in
 * this form to have row changes type-checked. This is the loose default.
 */
export type AnyTables = Record<string, Record<string, unknown>>;

export type TableName<Tables extends object> = keyof Tables & string;

/** A row to insert. A nullable column left out is null in a new row, unchanged in an old one. */
export type NewRow<Row> = {
  [Column in keyof Row as null extends Row[Column] ? never : Column]: Row[Column];
} & {
  [Column in keyof Row as null extends Row[Column] ? Column : never]?: Row[Column];
};

/** Inserts the row, or replaces the given columns of the row with the same primary key. */
export type RowPut<Tables extends object = AnyTables> = {
  [Name in TableName<Tables>]: { table: Name; row: NewRow<Tables[Name]> };
}[TableName<Tables>];

/** Changes columns of all rows (possibly none) that match `key`. */
export type RowPatch<Tables extends object = AnyTables> = {
  [Name in TableName<Tables>]: {
    table: Name;
    key: Partial<Tables[Name]>;
    set: Partial<Tables[Name]>;
  };
}[TableName<Tables>];

/** Removes all rows (possibly none) that match `key`. */
export type RowDrop<Tables extends object = AnyTables> = {
  [Name in TableName<Tables>]: { table: Name; key: Partial<Tables[Name]> };
}[TableName<Tables>];

/** A change of a feature's rows, in the step's commit. */
export type RowChange<Tables extends object = AnyTables> =
  | ({ op: 'put' } & RowPut<Tables>)
  | ({ op: 'patch' } & RowPatch<Tables>)
  | ({ op: 'drop' } & RowDrop<Tables>);

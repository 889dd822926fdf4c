/**
 * A map of tables: for each name the row that is stored, column by column. The kernel knows no
 * table; its user may name their own in this form, and every change of a row is then checked
 * against them. This is the loose default.
 */
export type AnyTables = Record<string, Record<string, unknown>>;

/** The name of one of the tables. */
export type TableName<Tables extends object> = keyof Tables & string;

/**
 * A row to insert. A column that may be null can be left out: it is null in a new row and stays in
 * an old one.
 */
export type NewRow<Row> = {
  [Column in keyof Row as null extends Row[Column] ? never : Column]: Row[Column];
} & {
  [Column in keyof Row as null extends Row[Column] ? Column : never]?: Row[Column];
};

/** Inserts the row, or replaces the given columns of the one with the same primary key. */
export type RowPut<Tables extends object = AnyTables> = {
  [Name in TableName<Tables>]: { table: Name; row: NewRow<Tables[Name]> };
}[TableName<Tables>];

/** Changes columns of all rows that have the values of `key`; there may be none. */
export type RowPatch<Tables extends object = AnyTables> = {
  [Name in TableName<Tables>]: {
    table: Name;
    key: Partial<Tables[Name]>;
    set: Partial<Tables[Name]>;
  };
}[TableName<Tables>];

/** Removes all rows that have the values of `key`; there may be none. */
export type RowDrop<Tables extends object = AnyTables> = {
  [Name in TableName<Tables>]: { table: Name; key: Partial<Tables[Name]> };
}[TableName<Tables>];

/** A change of rows of a table that a feature owns; done in the same commit as the step. */
export type RowChange<Tables extends object = AnyTables> =
  | ({ op: 'put' } & RowPut<Tables>)
  | ({ op: 'patch' } & RowPatch<Tables>)
  | ({ op: 'drop' } & RowDrop<Tables>);

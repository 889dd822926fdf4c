import type { TableName } from './rowChange.ts';

/** Columns that must have these values; null means IS NULL. */
export type Where<Row> = Partial<Row>;

export interface ReadOptions<Row> {
  /** Column or columns to sort by, the first counts most; default: the primary key. */
  order?: keyof Row | readonly (keyof Row)[];
  /** True: the largest first. */
  desc?: boolean;
  limit?: number;
  offset?: number;
  /**
   * Values for columns that cannot be read: a row that is whole with them is given. Default: a row
   * that cannot be read is left out.
   */
  instead?: Partial<Row>;
}

/**
 * Reads committed rows. The name of the table decides the type of the rows. A row that cannot be read
 * is never given, and it is reported to the store.
 */
export interface TypedRows<Tables extends object> {
  /** Default: all rows of the table. Rows that cannot be read are left out. */
  all<Name extends TableName<Tables>>(
    table: Name,
    where?: Where<Tables[Name]>,
    options?: ReadOptions<Tables[Name]>,
  ): Tables[Name][];
  /**
   * The first by primary key; undefined = no row. Throws SvcError `broken-row` where that cannot be
   * read: what is done for a row that does not exist might be done twice.
   */
  one<Name extends TableName<Tables>>(
    table: Name,
    where: Where<Tables[Name]>,
  ): Tables[Name] | undefined;
  count<Name extends TableName<Tables>>(table: Name, where?: Where<Tables[Name]>): number;
}

import type { TableName } from './rowChange.ts';

/** Required column values; null means IS NULL. */
export type Where<Row> = Partial<Row>;

export interface ReadOptions<Row> {
  /** Sort columns, most significant first; default: the primary key. */
  order?: keyof Row | readonly (keyof Row)[];
  /** Largest first. */
  desc?: boolean;
  limit?: number;
  offset?: number;
  /** Values for unreadable columns. Default: unreadable rows are left out. */
  instead?: Partial<Row>;
}

/** Reads committed rows by table name. Unreadable ones are reported and not returned. */
export interface TypedRows<Tables extends object> {
  /** Default: all rows. Unreadable ones are left out. */
  all<Name extends TableName<Tables>>(
    table: Name,
    where?: Where<Tables[Name]>,
    options?: ReadOptions<Tables[Name]>,
  ): Tables[Name][];
  /**
   * The first by primary key; undefined = none. Throws SvcError `broken-row` if unreadable:
   * treating it as missing might do things twice.
   */
  one<Name extends TableName<Tables>>(
    table: Name,
    where: Where<Tables[Name]>,
  ): Tables[Name] | undefined;
  count<Name extends TableName<Tables>>(table: Name, where?: Where<Tables[Name]>): number;
}

import type { TableName } from '../durable/rowChange.ts';

/** Columns that must have these values; null means IS NULL. */
export type Where<Row> = Partial<Row>;

export interface ReadOptions<Row> {
  /** Column or columns to sort by, the first counts most; default: the primary key. */
  order?: keyof Row | readonly (keyof Row)[];
  /** True: the largest first. */
  desc?: boolean;
  limit?: number;
  offset?: number;
}

/** Reads committed rows. The name of the table decides the type of the rows. */
export interface TypedRows<Tables extends object> {
  /** Default: all rows of the table. */
  all<Name extends TableName<Tables>>(
    table: Name,
    where?: Where<Tables[Name]>,
    options?: ReadOptions<Tables[Name]>,
  ): Tables[Name][];
  /** The first by primary key; undefined = no row. */
  one<Name extends TableName<Tables>>(
    table: Name,
    where: Where<Tables[Name]>,
  ): Tables[Name] | undefined;
  count<Name extends TableName<Tables>>(table: Name, where?: Where<Tables[Name]>): number;
}

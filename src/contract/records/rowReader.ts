import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Tables } from './tables.ts';

/** Reads committed rows of the tables of svc. */
export type RowReader = TypedRows<Tables>;

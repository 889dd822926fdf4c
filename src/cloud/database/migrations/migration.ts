import type { Ids } from '../../../base/system/ids/ids.ts';
import type { TransactionSql } from '../database.ts';

/** One step of the schema. Released ones stay as they are. */
export interface Migration {
  name: string;
  run(sql: TransactionSql, tools: { ids: Ids }): Promise<void>;
}

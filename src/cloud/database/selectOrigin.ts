import type { Sql, TransactionSql } from './database.ts';

/**
 * Selects what names this database, and is in no dump: the server, where svc may ask for it, the database and the table
 * `database_origin`. pg_restore makes another one of at least one of them, also over tables that exist.
 */
export const selectOrigin = (sql: Sql | TransactionSql) => sql`
  select concat_ws('/',
    case when has_function_privilege('pg_control_system()', 'execute')
      then (select system_identifier::text from pg_control_system()) end,
    (select oid::text from pg_database where datname = current_database()),
    'database_origin'::regclass::oid::text) as origin`;

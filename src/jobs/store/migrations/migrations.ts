import { MIGRATIONS_OF_0_2 } from './release02.ts';
import { UNRELEASED_MIGRATIONS } from './unreleased.ts';

/**
 * Migrations of state.db: entry N brings `user_version` from N to N + 1, in one transaction. Each
 * release has its own file, which is never edited: a change is a new entry. The columns of feature
 * tables are declared in `src/contract/records/tables.ts`.
 */
export const MIGRATIONS: readonly string[] = [...MIGRATIONS_OF_0_2, ...UNRELEASED_MIGRATIONS];
/** The version that this runner reads and writes. */
export const STORE_VERSION = MIGRATIONS.length;

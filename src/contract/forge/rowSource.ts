import type { Tables } from '../records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';

/**
 * Committed rows of a forge's tables. The forge never writes: it answers rows, and the caller
 * commits them.
 */
export type RowSource = TypedRows<Pick<Tables, 'forge_prs' | 'forge_comments' | 'forge_reviews'>>;

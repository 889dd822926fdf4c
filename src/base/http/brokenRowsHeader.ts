/** Header with the number of stored rows that the reply leaves out because they cannot be read. */
export const BROKEN_ROWS_HEADER = 'Svc-Broken-Rows';

/** Of a reply that leaves out stored rows that cannot be read: how many. */
export const BROKEN_ROWS_HEADER = 'Svc-Broken-Rows';

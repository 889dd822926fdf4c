/**
 * Header with the second value of a dashboard login. The page keeps it in its own storage, which no
 * other port of the host can read; the cookie, which is the first, goes to all of them.
 */
export const PAGE_KEY_HEADER = 'X-Svc-Page-Key';

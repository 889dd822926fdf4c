/**
 * Header with the second value of a dashboard login. The page keeps it in its own storage, which no
 * other port of the host can read; the cookie, which is the first, goes to all of them.
 */

/** Header with the number of stored rows that the reply leaves out because they cannot be read. */

/** Start of the User-Agent of svc's own command line; its version follows. */
export const OWN_CLIENT = 'svc-cli/';

/**
 * Header with the second value of a dashboard login. The page keeps it in its own storage, which no
 * other port of the host can read; the cookie, which is the first, goes to all of them.
 */

/** Header with the number of stored rows that the reply leaves out because they cannot be read. */
export const BROKEN_ROWS_HEADER = 'Svc-Broken-Rows';

/**
 * Header with the second value of a dashboard login. The page keeps it in its own storage, which no
 * other port of the host can read; the cookie, which is the first, goes to all of them.
 */
export const PAGE_KEY_HEADER = 'X-Svc-Page-Key';

/** Names the member of the team for whom the link to the control plane asks: base64url of its JSON. */
export const PERSON_HEADER = 'X-Svc-Person';
/** The secret that this process made for its link: without it no request may name a person. */
export const LINK_HEADER = 'X-Svc-Link';

/** Cookie of a browser's login. */
export const SESSION_COOKIE = 'svc_session';
/** Header with the second value of a browser's login, which a change needs. */
export const CSRF_HEADER = 'X-Svc-Csrf';

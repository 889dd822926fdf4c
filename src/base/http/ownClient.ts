/** Start of the User-Agent of svc's own command line; its version follows. */
export const OWN_CLIENT = 'svc-cli/';

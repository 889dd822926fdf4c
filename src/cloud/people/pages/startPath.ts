/** Where a login leads to, unless it was for something else. */
export const START_PATH = '/t/';

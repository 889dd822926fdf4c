/** Addresses of forges come from agents and from outside: only web addresses become links. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url);

/** Addresses of forges come from agents and from afar: only those of the web are links. */
export const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

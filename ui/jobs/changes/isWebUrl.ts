/** Addresses of forges come from agents and from afar: only those of the web are links. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url);

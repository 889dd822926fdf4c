/** True for an address that only this machine reaches; IPv6 with or without brackets. */
export const isLoopbackAddress = (host: string): boolean =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether a name is an address of the web: `https://…`. */
export const isHttpAddress = (text: string): boolean => /^https?:\/\//i.test(text.trim());

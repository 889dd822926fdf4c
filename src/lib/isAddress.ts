/** Whether a name is an address of the web: `https://…`. */
export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text.trim());

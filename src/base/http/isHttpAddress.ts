export const isHttpAddress = (text: string): boolean => /^https?:\/\//i.test(text.trim());

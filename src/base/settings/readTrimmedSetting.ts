/** A setting of a plugin as text without spaces around it; empty where it is not set. */
export const readTrimmedSetting = (
  values: Readonly<Record<string, string | number | boolean | undefined>>,
  name: string,
): string => String(values[name] ?? '').trim();

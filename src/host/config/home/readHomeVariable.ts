/**
 * SVC_HOME; null where it is not set. Apart from the other variables: the command line needs it
 * before anything else is loaded.
 */
export const readHomeVariable = (
  env: Readonly<Record<string, string | undefined>>,
): string | null => env.SVC_HOME?.trim() || null;

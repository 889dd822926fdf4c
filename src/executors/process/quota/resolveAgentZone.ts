export const resolveAgentZone = ({ TZ }: Readonly<Record<string, string>>): string =>
  TZ?.replace(/^:/, '') || new Intl.DateTimeFormat().resolvedOptions().timeZone;

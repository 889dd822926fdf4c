/** Zone in which an agent with this environment writes times: its own, else that of the machine. */
export const resolveAgentZone = ({ TZ }: Readonly<Record<string, string>>): string =>
  TZ?.replace(/^:/, '') || new Intl.DateTimeFormat().resolvedOptions().timeZone;

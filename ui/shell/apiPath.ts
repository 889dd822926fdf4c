/** What a meta element of the page says; null = there is no such element. */
export const readPageMeta = (name: string): string | null =>
  typeof document === 'undefined'
    ? null
    : (document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null);

/** Where the API of the page's team is, such as `/teams/acme`; empty on the page of a runner. */
export const API_PATH: string = readPageMeta('svc-api') ?? '';

/** Whether the page was sent by a control plane for a team. */
export const isTeamPage = (): boolean => API_PATH !== '';

/** Id of a new conversation. Works also where the page has no secure origin. */
export const createPlanSessionId = (): string =>
  `plan-${[...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** What drafts of a conversation belong to; those of the next new one survive a reload too. */
export const toPlanDraftOwner = (sessionId: string | null): string =>
  sessionId === null ? 'new plan' : `plan ${sessionId}`;

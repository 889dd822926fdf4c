export const KERNEL_KEYS = {
  actors: { table: 'actors', key: ['id'] },
  journal: { table: 'journal', key: ['actor', 'seq'] },
  outbox: { table: 'outbox', key: ['effect_id'] },
  timers: { table: 'timers', key: ['actor', 'name'] },
  inbox: { table: 'inbox', key: ['actor', 'source', 'external_id'] },
  mail: { table: 'mail', key: ['id'] },
  frames: { table: 'frames', key: ['actor', 'n'] },
} as const;

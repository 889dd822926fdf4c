import Type from 'typebox';
import { section } from './fieldSchemas.ts';

/** Enough for a copy an hour over a month. */
const MOST_COPIES = 1000;

export const Backup = Type.Object(
  {
    every: Type.Union(
      [
        Type.String({
          pattern: '^[0-9]{1,6}[mhd]$',
          title: 'a duration from 1h to 365d in double quotes',
          examples: ['24h', '7d'],
        }),
        Type.Null(),
      ],
      {
        default: null,
        description:
          'How often the runner backs up its home by itself, such as 24h or 7d; from 1h to 365d. null = only on svc backup.',
      },
    ),
    folder: Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), Type.Null()], {
      default: null,
      description:
        'Where the backups are written: outside of the home, best on another disk. It is made where it is missing.',
      examples: ['~/svc-backups', '/mnt/backups'],
    }),
    copies: Type.Integer({
      minimum: 1,
      maximum: MOST_COPIES,
      default: 7,
      description:
        'Number of backups of this home that stay; older ones that the runner wrote are removed after the next one.',
    }),
    work: Type.Enum(['all', 'active', 'none'], {
      default: 'active',
      description:
        'Which job folders they include: all, active (jobs that have not ended) or none (work that is not pushed is then missing).',
    }),
  },
  { ...section, title: 'Backup', description: 'Backups that the runner makes by itself.' },
);

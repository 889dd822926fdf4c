import { createContender } from '../served.ts';
import { redis } from '../servers/redis.ts';

export const bullmq = createContender({
  name: 'bullmq',
  workflows: 2_000,
  server: redis,
  carriesState: true,
});

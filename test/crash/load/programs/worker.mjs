import { kickoff, tool, visit } from '../../session.mjs';

await tool('add_insight', { category: 'load', text: `visit ${visit}` });
await tool('post_artifact', { kind: 'report-md', title: 'My kickoff', content: kickoff });

/** A repository in the shape of public ones, made by hand, and what svc says of it. */
export interface Shape {
  files: Readonly<Record<string, string | Uint8Array>>;
  found: readonly string[];
}

const agent = (front: string, text = 'Review the change.'): string =>
  `---\n${front}\n---\n\n${text}\n`;
const mcp = (servers: Record<string, unknown>): string => JSON.stringify({ mcpServers: servers });
const skill = (front: string): string => `---\n${front}\n---\nDo it like this.\n`;
const many = (count: number, path: (n: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), 'x']));

export const SHAPES: Readonly<Record<string, Shape>> = {
  'instructions alone: AGENTS.md, and CLAUDE.md that imports it': {
    files: { 'AGENTS.md': '# Shop\nRun the tests.\n', 'CLAUDE.md': '@AGENTS.md\n' },
    found: [],
  },
  '.claude/CLAUDE.md with imports of rules': {
    files: {
      '.claude/CLAUDE.md': 'See @.claude/rules/style.md and @docs/more.md.\n',
      '.claude/rules/style.md': '---\npaths: [src/**]\n---\nTabs.\n',
    },
    found: ['used .claude/CLAUDE.md', 'used .claude/rules/style.md'],
  },
  'agents of Claude Code in .claude/agents': {
    files: {
      '.claude/agents/reviewer.md': agent(
        'name: reviewer\ndescription: Reviews.\ntools: Read, Grep\nmodel: inherit\ncolor: blue',
      ),
      '.claude/agents/team/planner.md': agent(
        'name: planner\ndescription: Plans.\npermissionMode: plan',
      ),
    },
    found: [
      'not trusted .claude/agents/team/planner.md: its front matter declares permissionMode',
      'used .claude/agents/reviewer.md',
    ],
  },
  'an agent of Claude Code copied into .svc/agents': {
    files: {
      '.svc/agents/reviewer.md': agent(
        'name: reviewer\ndescription: Reviews.\ntools: Read, Grep, Glob, Bash\nmodel: sonnet\ncolor: "#ff0000"',
      ),
    },
    found: [
      'agents/reviewer.md may use read, grep, glob, shell',
      'agents/reviewer.md:4 warning of-other-program',
      'agents/reviewer.md:5 warning of-other-program',
      'agents/reviewer.md:6 warning of-other-program',
      'used agents/reviewer.md',
    ],
  },
  'one with a list of tools, of which svc has some': {
    files: {
      '.svc/agents/web.md': agent(
        'name: web\ndescription: Looks up.\ntools:\n  - Read\n  - WebFetch\n  - TodoWrite\n  - mcp__docs__find',
      ),
    },
    found: [
      'agents/web.md may use read, mcp__docs__find',
      'agents/web.md:5 warning of-other-program',
      'agents/web.md:5 warning of-other-program',
      'used agents/web.md',
    ],
  },
  'one whose tools are limited to some calls': {
    files: {
      '.svc/agents/git.md': agent(
        'name: git\ndescription: Commits.\ntools: Bash(git add:*, git commit:*), Read',
      ),
    },
    found: [
      'agents/git.md may use read',
      'agents/git.md:4 warning of-other-program',
      'agents/git.md:4 warning of-other-program',
      'used agents/git.md',
    ],
  },
  'one that forbids tools beside a list': {
    files: {
      '.svc/agents/architect.md': agent(
        'name: architect\ndescription: Designs.\ntools: Read, Write, Glob, Grep\ndisallowedTools: Bash, Write',
      ),
    },
    found: [
      'agents/architect.md may use read, glob, grep',
      'agents/architect.md:4 warning of-other-program',
      'agents/architect.md:5 warning of-other-program',
      'used agents/architect.md',
    ],
  },
  'one that forbids tools without a list': {
    files: {
      '.svc/agents/architect.md': agent(
        'name: architect\ndescription: Designs.\ndisallowedTools: ["Bash"]',
      ),
    },
    found: [
      'agents/architect.md may use all tools',
      'agents/architect.md:4 error of-other-program',
      'used agents/architect.md',
    ],
  },
  'one in the mode that only plans': {
    files: {
      '.svc/agents/plan.md': agent(
        'name: plan\ndescription: Plans.\npermissionMode: plan\ntools: Read, Edit, Bash',
      ),
    },
    found: [
      'agents/plan.md may use read',
      'agents/plan.md:4 warning of-other-program',
      'agents/plan.md:5 warning of-other-program',
      'used agents/plan.md',
    ],
  },
  'one with all that Claude Code knows': {
    files: {
      '.svc/agents/all.md': agent(
        'name: all\ndescription: >\n  Long,\n  over lines.\nmodel: opus\ncolor: red\nmemory: project\nskills: [a]\nmaxTurns: 40\nbackground: true\nisolation: worktree\nmcpServers: [docs]\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{ type: command, command: ./guard.sh }]',
      ),
    },
    found: [
      'agents/all.md may use all tools',
      'agents/all.md:10 warning of-other-program',
      'agents/all.md:11 warning of-other-program',
      'agents/all.md:12 warning of-other-program',
      'agents/all.md:13 warning of-other-program',
      'agents/all.md:14 warning of-other-program',
      'agents/all.md:6 warning of-other-program',
      'agents/all.md:7 warning of-other-program',
      'agents/all.md:8 warning of-other-program',
      'agents/all.md:9 warning of-other-program',
      'used agents/all.md',
    ],
  },
  'one with a long description with examples': {
    files: {
      '.svc/agents/long.md': agent(
        `name: long\ndescription: |\n  ${'Use it when the code changes. '.repeat(60)}\n  <example>Context: a change</example>`,
      ),
    },
    found: ['agents/long.md may use all tools', 'used agents/long.md'],
  },
  'one whose description is no YAML': {
    files: {
      '.svc/agents/bad.md': agent(
        'name: bad\ndescription: Use it when: Context: a change\nmodel: sonnet',
      ),
      '.svc/agents/good.md': agent('name: good\ndescription: Good.'),
    },
    found: [
      'agents/bad.md may use all tools',
      'agents/bad.md:3 error yaml-syntax',
      'agents/good.md may use all tools',
      'used agents/bad.md',
      'used agents/good.md',
    ],
  },
  'a byte-order mark and line ends of Windows': {
    files: {
      '.svc/agents/win.md': `\ufeff${agent('name: win\ndescription: Windows.').replaceAll('\n', '\r\n')}`,
    },
    found: ['agents/win.md may use all tools', 'used agents/win.md'],
  },
  'commands with arguments and allowed tools': {
    files: {
      '.claude/commands/commit.md':
        '---\nallowed-tools: Bash(git add:*), Bash(git status:*)\ndescription: Commit\nargument-hint: [a] [b]\n---\n!`git status`\nCommit.\n',
      '.claude/commands/run.js': 'console.log(1)\n',
    },
    found: [
      'not trusted .claude/commands/commit.md: commands run shell lines',
      'not trusted .claude/commands/run.js: commands run shell lines',
    ],
  },
  'skills with programs, fonts and allowed tools': {
    files: {
      '.claude/skills/pdf/SKILL.md': skill('name: pdf\ndescription: Fills forms.\nlicense: MIT'),
      '.claude/skills/pdf/scripts/fill.py': 'print(1)\n',
      '.claude/skills/pdf/fonts/a.ttf': new Uint8Array([0, 1, 0, 0, 255]),
      '.claude/skills/\u6587/SKILL.md': skill('name: \u6587\ndescription: Text.'),
      '.claude/skills/git/SKILL.md': skill(
        'name: git\ndescription: Git.\nallowed-tools: Bash(git:*)',
      ),
    },
    found: [
      'not trusted .claude/skills/git/SKILL.md: its front matter declares allowed-tools',
      'not trusted .claude/skills/pdf/fonts/a.ttf: it is not a text file, so it may be a program',
      'not trusted .claude/skills/pdf/scripts/fill.py: it is not a text file, so it may be a program',
      'used .claude/skills/pdf/SKILL.md',
      'used .claude/skills/文/SKILL.md',
    ],
  },
  'settings, hooks and a status line': {
    files: {
      '.claude/settings.json': '{"hooks":{"PreToolUse":[]},"permissions":{"allow":["Bash(ls)"]}}',
      '.claude/settings.local.json': '{}',
      '.claude/hooks/guard.sh': '#!/bin/sh\nexit 0\n',
    },
    found: [
      'not trusted .claude/hooks/guard.sh: hooks run programs',
      'not trusted .claude/settings.json: settings can start programs and send keys elsewhere',
      'not trusted .claude/settings.local.json: settings can start programs and send keys elsewhere',
    ],
  },
  'servers of every kind in .mcp.json': {
    files: {
      '.mcp.json': mcp({
        files: { command: 'npx', args: ['-y', 'files'], env: { LOG: '1' } },
        docs: { type: 'http', url: 'https://docs.example/mcp' },
        old: { type: 'sse', url: 'https://old.example/sse' },
        other: { httpUrl: 'https://other.example/mcp' },
        off: { command: 'x', disabled: true },
        token: {
          type: 'http',
          url: 'https://t.example/mcp',
          headers: { Authorization: `Bearer \${TOKEN}` },
        },
        empty: {},
        'a b': { command: 'x' },
      }),
    },
    found: [
      '.mcp.json: the server "a b" was left out: its id may only contain alphanumeric characters, dots, hyphens and underscores',
      '.mcp.json: the server "empty" was left out: a server of type http needs a url',
      '.mcp.json: the server "token" was left out: it needs TOKEN from the environment, which is not allowed: run svc trust add shop --env TOKEN, or name it in mcpServers.token.allowedEnv of the configuration',
      'not trusted .mcp.json: it declares tool servers',
      'server docs (http)',
      'server files (stdio)',
      'server off is off',
      'server old (sse)',
      'server other (http)',
    ],
  },
  'servers with members and variables of other programs': {
    files: {
      '.mcp.json': mcp({
        helper: { type: 'http', url: 'https://h.example/mcp', headersHelper: 'node headers.mjs' },
        asked: {
          type: 'http',
          url: 'https://a.example/mcp',
          headers: { Authorization: `Basic \${input:login}` },
        },
        folder: { command: 'uv', args: ['run', 'server'], cwd: 'tools' },
        link: { link: 'https://l.example/mcp' },
      }),
    },
    found: [
      `.mcp.json: the server "asked" was left out: it uses \${input:login}, which only an editor fills in: write \${NAME} and allow the name`,
      '.mcp.json: the server "folder": its cwd is ignored: svc has no such setting',
      '.mcp.json: the server "helper": its headersHelper is ignored: svc has no such setting',
      '.mcp.json: the server "link" was left out: a server of type http needs a url',
      'not trusted .mcp.json: it declares tool servers',
      'server folder (stdio)',
      'server helper (http)',
    ],
  },
  '.mcp.json with comments, and one without servers': {
    files: { '.mcp.json': '{\n  // local\n  "mcpServers": {}\n}' },
    found: [
      '.mcp.json is not valid JSON (line 2, column 3: InvalidCommentToken); its servers were left out',
      'not trusted .mcp.json: it declares tool servers',
    ],
  },
  'files of other programs': {
    files: {
      '.cursor/rules/a.mdc': 'x',
      '.github/copilot-instructions.md': 'x',
      'opencode.json': '{}',
      '.codex/config.toml': '',
      '.gemini/settings.json': '{}',
      'GEMINI.md': 'x',
    },
    found: [
      'not trusted .codex/config.toml: it configures codex, which can run its programs',
      'not trusted .gemini/settings.json: it configures Gemini CLI, which can run its programs',
      'not trusted opencode.json: it configures opencode, which can run its programs',
    ],
  },
  'more than 2,000 files beside what is used': {
    files: {
      ...many(2_100, (n) => `.claude/plugins/cache/${n}.json`),
      '.claude/CLAUDE.md': 'Be brief.\n',
    },
    found: [
      'left out 101 files: the layer has more than 2000 files',
      'not trusted 1999 files: plugins run programs',
      'used .claude/CLAUDE.md',
    ],
  },
};

import Type from 'typebox';

const page = Type.String({ description: 'Its name.' });
const title = Type.String({ description: 'Its heading.' });

/** What `svc docs` prints with --json. */
export const docsReplies = {
  docs: Type.Union([
    Type.Array(Type.Object({ page, title })),
    Type.Object({ page, title, text: Type.String({ description: 'The page as Markdown.' }) }),
  ]),
};

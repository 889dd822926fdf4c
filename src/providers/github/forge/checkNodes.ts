import { expectAuthor, expectDate, expectId, expectText } from '../../rest/expectedValues.ts';
import type { CheckNode, CommentNode, NumberedComment, ReviewNode, ThreadNode } from './queries.ts';

/** Each of these throws, with the value that is wrong, for a node that svc cannot read. */

const checkNumber = ({ id, fullDatabaseId, databaseId }: NumberedComment): void => {
  expectId(fullDatabaseId ?? databaseId ?? id, 'the id of a comment');
};

export function checkComment(node: CommentNode): void {
  expectText(node.body, 'the body of a comment');
  checkNumber(node);
  expectDate(node.createdAt, 'the date of a comment');
  expectAuthor(node.author, 'login');
}

export function checkReview(node: ReviewNode): void {
  expectText(node.body, 'the body of a review');
  expectText(node.state, 'the state of a review');
  checkNumber(node);
  if (node.submittedAt !== null) expectDate(node.submittedAt, 'the date of a review');
  expectAuthor(node.author, 'login');
}

export function checkThread(node: ThreadNode): void {
  expectId(node.id, 'the id of a thread');
  expectText(node.path, 'the path of a comment');
}

export function checkCheck(node: CheckNode): void {
  expectText(node.__typename === 'CheckRun' ? node.name : node.context, 'the name of a check');
}

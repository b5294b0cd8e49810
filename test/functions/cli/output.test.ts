import { failureOf } from '../../../functions/cli/output.ts';

it('does not print a session token that an AWS error quotes', () => {
  const quoted = "should have been\n'POST\nx-amz-security-token:IQoJb3JpZ2luX2Vj\n'";
  const error = Object.assign(new Error(quoted), { name: 'InvalidSignatureException' });
  expect(failureOf(error)).toEqual({
    exitCode: 1,
    line: "error: InvalidSignatureException: should have been 'POST x-amz-security-token:[secret] '",
  });
});

/** E-mail addresses as texts contain them: quoted, or escaped for JSON, for a URL or for a page. */
export const writtenEmails = [
  '"john doe"@private.example',
  String.raw`\"john doe\"@private.example`,
  String.raw`\\"john.doe@private.example\\"`,
  String.raw`{\"mail\":\"\\\"john doe\\\"@private.example\"}`,
  String.raw`"john \"the\" doe"@private.example`,
  '"john@doe"@private.example',
  'x."john doe"@private.example',
  String.raw`john.doe\u0040private.example`,
  String.raw`john.doe\\u0040private.example`,
  'john.doe%40private.example',
  'john.doe%2540private.example',
  'john.doe&#64;private.example',
  'john.doe＠private.example',
  'john.doe@[192.0.2.77]',
];

// Characters that mean something in several formats, and some that do not.
export const characters = [
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  '\r\n ',
  '\n\t',
  ',',
  ';',
  ':',
  '=',
  '"',
  '\\',
]
export const letters = ['x', 'é', '😀', '\0', '/', '\\n', ';X=', ';X=x', '%41', '-']

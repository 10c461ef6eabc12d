export type View = 'write' | 'both' | 'read'

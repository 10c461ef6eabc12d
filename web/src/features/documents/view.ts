export type View = 'edit' | 'both' | 'preview'

from loader import resolve
for j in ('train', 'evaluate'):
    resolve(j).main()

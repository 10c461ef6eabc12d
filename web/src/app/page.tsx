import { Outlet } from '@tanstack/react-router'
import { Toaster } from '../ui/toaster.tsx'

/** The page around every screen. */
export const Page = () => (
  <>
    <Outlet />
    <Toaster />
  </>
)
